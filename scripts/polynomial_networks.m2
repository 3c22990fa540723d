-- The dimensions of the functions of polynomial networks by Macaulay2.
--
--     M2 --script polynomial_networks.m2 EXPONENT "{2,3,3,2,1}" "{2,2,1}" ...
--
-- prints a line for each network: the rank of the Jacobian at random weights over ZZ/32749. The coefficients of the
-- derivatives, which are polynomials in the inputs, are written down and eliminated: nothing is sampled but weights.

arguments = apply(drop(scriptCommandLine, 1), value)
exponent = first arguments
raised = (m, n) -> matrix apply(entries m, row -> apply(row, entry -> entry^n))
products = (m, n) -> matrix apply(numRows m, i -> {m_(i, 0) * n_(i, 0)})

dimension = widths -> (
    layers := #widths - 1;
    R := ZZ/32749[vars(0..widths#0 - 1)];
    W := apply(layers, i -> random(R^(widths#(i + 1)), R^(widths#i)));
    inputs := {transpose vars R};
    sums := {};
    for i from 0 to layers - 1 do (
        sums = append(sums, W#i * last inputs);
        inputs = append(inputs, raised(last sums, exponent));
    );
    -- the derivatives of one output by all weights, the last layer first
    gradient := output -> (
        delta := transpose matrix {apply(widths#layers, i -> if i == output then 1_R else 0_R)};
        flatten for i in reverse(0..layers - 1) list (
            own := flatten entries(delta * transpose(inputs#i));
            if i > 0 then delta = products(transpose(W#i) * delta, exponent * raised(sums#(i - 1), exponent - 1));
            own
        )
    );
    blocks := apply(widths#layers, output -> entries lift((coefficients matrix {gradient output})#1, ZZ/32749));
    rank matrix flatten blocks
)

scan(drop(arguments, 1), widths -> << widths << " " << exponent << " " << dimension widths << endl)
