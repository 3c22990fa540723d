-- Reduced row echelon forms by Macaulay2, for tests/linalg/test_other_systems.py:
--     M2 --script macaulay2.m2 > macaulay2.json
setRandomSeed 20261121
residues = A -> apply(entries A, row -> apply(row, x -> (lift(x, ZZ) + char ring A) % char ring A));
json = L -> replace("}", "]", replace("{", "[", toString L));
cases = flatten apply({2, 3, 31, 3191, 32003, 1048583, 8388593}, p -> {
    {p, 5, 8, 5}, {p, 9, 6, 4}, {p, 40, 45, 33}, {p, 12, 12, 12}
});
first' = true;
print "[";
scan(cases, c -> (
    (p, m, n, r) := toSequence c;
    R = ZZ/p;
    A = random(R^m, R^r) * random(R^r, R^n);
    E = reducedRowEchelonForm A;
    B = select(residues E, row -> any(row, x -> x != 0));
    line = "{\"p\": " | toString p | ", \"rank\": " | toString rank A | ", \"matrix\": " | json residues A | ", \"echelon\": " | json B | "}";
    print (if first' then line else "," | line);
    first' = false;
));
print "]";
