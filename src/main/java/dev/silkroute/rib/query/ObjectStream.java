package dev.silkroute.rib.query;

import dev.silkroute.rib.RibRoute;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The operations of a route stream that work on objects, delegated to a stream of the JDK. */
abstract class ObjectStream implements Stream<RibRoute> {
    /** The routes selected so far, as a stream of the JDK. */
    abstract Stream<RibRoute> objects();

    @Override
    public <R> Stream<R> map(Function<? super RibRoute, ? extends R> mapper) {
        return objects().map(mapper);
    }

    @Override
    public <R> Stream<R> flatMap(Function<? super RibRoute, ? extends Stream<? extends R>> mapper) {
        return objects().flatMap(mapper);
    }

    @Override
    public <R> Stream<R> mapMulti(BiConsumer<? super RibRoute, ? super Consumer<R>> mapper) {
        return objects().mapMulti(mapper);
    }

    @Override
    public <A> A[] toArray(IntFunction<A[]> generator) {
        return objects().toArray(generator);
    }

    @Override
    public RibRoute reduce(RibRoute identity, BinaryOperator<RibRoute> accumulator) {
        return objects().reduce(identity, accumulator);
    }

    @Override
    public <U> U reduce(U identity, BiFunction<U, ? super RibRoute, U> accumulator, BinaryOperator<U> combiner) {
        return objects().reduce(identity, accumulator, combiner);
    }

    @Override
    public <R> R collect(Supplier<R> supplier, BiConsumer<R, ? super RibRoute> accumulator, BiConsumer<R, R> combiner) {
        return objects().collect(supplier, accumulator, combiner);
    }

    @Override
    public <R, A> R collect(Collector<? super RibRoute, A, R> collector) {
        return objects().collect(collector);
    }

    @Override
    public List<RibRoute> toList() {
        return objects().toList();
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super RibRoute> mapper) {
        return objects().mapToInt(mapper);
    }

    @Override
    public LongStream mapToLong(ToLongFunction<? super RibRoute> mapper) {
        return objects().mapToLong(mapper);
    }

    @Override
    public DoubleStream mapToDouble(ToDoubleFunction<? super RibRoute> mapper) {
        return objects().mapToDouble(mapper);
    }

    @Override
    public IntStream flatMapToInt(Function<? super RibRoute, ? extends IntStream> mapper) {
        return objects().flatMapToInt(mapper);
    }

    @Override
    public LongStream flatMapToLong(Function<? super RibRoute, ? extends LongStream> mapper) {
        return objects().flatMapToLong(mapper);
    }

    @Override
    public DoubleStream flatMapToDouble(Function<? super RibRoute, ? extends DoubleStream> mapper) {
        return objects().flatMapToDouble(mapper);
    }

    @Override
    public Stream<RibRoute> distinct() {
        return objects().distinct();
    }

    @Override
    public Stream<RibRoute> sorted() {
        return objects().sorted();
    }

    @Override
    public Stream<RibRoute> peek(Consumer<? super RibRoute> action) {
        return objects().peek(action);
    }

    @Override
    public Stream<RibRoute> takeWhile(Predicate<? super RibRoute> predicate) {
        return objects().takeWhile(predicate);
    }

    @Override
    public Stream<RibRoute> dropWhile(Predicate<? super RibRoute> predicate) {
        return objects().dropWhile(predicate);
    }

    @Override
    public void forEach(Consumer<? super RibRoute> action) {
        objects().forEach(action);
    }

    @Override
    public void forEachOrdered(Consumer<? super RibRoute> action) {
        objects().forEachOrdered(action);
    }

    @Override
    public Object[] toArray() {
        return objects().toArray();
    }

    @Override
    public Optional<RibRoute> reduce(BinaryOperator<RibRoute> accumulator) {
        return objects().reduce(accumulator);
    }

    @Override
    public Optional<RibRoute> min(Comparator<? super RibRoute> comparator) {
        return objects().min(comparator);
    }

    @Override
    public Optional<RibRoute> max(Comparator<? super RibRoute> comparator) {
        return objects().max(comparator);
    }

    @Override
    public boolean anyMatch(Predicate<? super RibRoute> predicate) {
        return objects().anyMatch(predicate);
    }

    @Override
    public boolean allMatch(Predicate<? super RibRoute> predicate) {
        return objects().allMatch(predicate);
    }

    @Override
    public boolean noneMatch(Predicate<? super RibRoute> predicate) {
        return objects().noneMatch(predicate);
    }

    @Override
    public Optional<RibRoute> findFirst() {
        return objects().findFirst();
    }

    @Override
    public Optional<RibRoute> findAny() {
        return objects().findAny();
    }

    @Override
    public Iterator<RibRoute> iterator() {
        return objects().iterator();
    }

    @Override
    public Spliterator<RibRoute> spliterator() {
        return objects().spliterator();
    }
}
