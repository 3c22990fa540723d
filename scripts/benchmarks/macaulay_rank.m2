-- The rank of a random matrix over GF(p) by Macaulay2.
--
--     M2 --script macaulay_rank.m2 SIZE PRIME RANK REPETITIONS
--
-- prints a line for each repetition: the rank found and the seconds of the elimination alone. Products are taken of mutable matrices: of others
-- they take far longer than the rank.

(n, p, expected, repetitions) = toSequence apply(take(scriptCommandLine, -4), value)
field = ZZ/p
randomMatrix = (rowCount, columnCount) -> mutableMatrix random(field^rowCount, field^columnCount)
matrixOfRank = if expected == n then randomMatrix(n, n) else randomMatrix(n, expected) * randomMatrix(expected, n)
for repetition from 1 to repetitions do (
    timed = elapsedTiming rank matrixOfRank;
    << timed#1 << " " << toString timed#0 << endl;
)
