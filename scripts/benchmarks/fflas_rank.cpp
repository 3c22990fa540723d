// The rank of a random matrix over GF(p) by FFLAS-FFPACK.
//
//     fflas_rank SIZE PRIME RANK REPETITIONS
//
// prints a line for each repetition: the rank found and the seconds of the elimination alone. The matrix is the product of two random ones of
// inner dimension RANK unless RANK is SIZE. Primes that ModularBalanced<double> cannot hold are computed with in ModularBalanced<int64_t>.

#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular-balanced.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

template <class Field>
std::vector<typename Field::Element> random_matrix(const Field &field, size_t count, int64_t p, std::mt19937_64 &generator) {
    std::uniform_int_distribution<int64_t> residue(0, p - 1);
    std::vector<typename Field::Element> matrix(count);
    for (auto &entry : matrix) field.init(entry, residue(generator));
    return matrix;
}

template <class Field>
void measure(size_t size, int64_t p, size_t rank, int repetitions) {
    using Element = typename Field::Element;
    Field field(p);
    std::mt19937_64 generator(1);
    std::vector<Element> matrix;
    if (rank == size) {
        matrix = random_matrix(field, size * size, p, generator);
    } else {
        auto left = random_matrix(field, size * rank, p, generator);
        auto right = random_matrix(field, rank * size, p, generator);
        matrix.resize(size * size);
        FFLAS::fgemm(field, FFLAS::FflasNoTrans, FFLAS::FflasNoTrans, size, size, rank, field.one, left.data(), rank, right.data(), size,
                     field.zero, matrix.data(), size);
    }
    for (int repetition = 0; repetition < repetitions; repetition++) {
        std::vector<Element> work = matrix;  // the elimination is in place
        auto began = std::chrono::steady_clock::now();
        size_t found = FFPACK::Rank(field, size, size, work.data(), size);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::printf("%zu %.9f\n", found, seconds.count());
    }
}

int main(int count, char **arguments) {
    if (count != 5) {
        std::fprintf(stderr, "usage: fflas_rank SIZE PRIME RANK REPETITIONS\n");
        return 2;
    }
    size_t size = std::strtoull(arguments[1], nullptr, 10);
    int64_t p = std::strtoll(arguments[2], nullptr, 10);
    size_t rank = std::strtoull(arguments[3], nullptr, 10);
    int repetitions = std::atoi(arguments[4]);
    if (p <= static_cast<int64_t>(Givaro::ModularBalanced<double>::maxCardinality()))
        measure<Givaro::ModularBalanced<double>>(size, p, rank, repetitions);
    else
        measure<Givaro::ModularBalanced<int64_t>>(size, p, rank, repetitions);
}
