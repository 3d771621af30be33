INSERT INTO wow.el_like VALUES ('T-a', '1', '{"null":1,"size0":2,"keys":3,"a":{"null":4,"size0":5},"items":[{"keys":6,"values":7,"size":8,"size1":9},{}]}', '{"items":[{"size0":10},{}]}');
