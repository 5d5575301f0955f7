-- two answers; of one parameter
SELECT :#a::int + 1;
SELECT :#a::int + 2;
