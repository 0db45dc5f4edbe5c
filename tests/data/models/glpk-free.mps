* Problem:    plant
* Class:      MIP
* Rows:       4
* Columns:    4 (2 integer, 1 binary)
* Non-zeros:  9
* Format:     Free MPS
*
NAME plant
ROWS
 N R0000000
 L demand
 G least
 E balance
 E band
COLUMNS
 M0000001 'MARKER' 'INTORG'
 make R0000000 3 balance -1
 make least 1 demand 1
 M0000002 'MARKER' 'INTEND'
 buy R0000000 2 band 1
 buy balance -1 demand 1
 M0000003 'MARKER' 'INTORG'
 open R0000000 -4 band -1
 open least 1
 M0000004 'MARKER' 'INTEND'
 flow R0000000 -0.1 balance 1
RHS
 RHS1 R0000000 10 demand 4
 RHS1 least 1 balance 0.5
 RHS1 band -2
RANGES
 RNG1 band 3
BOUNDS
 UP BND1 make 4
 LO BND1 buy -1
 UP BND1 buy 1.5
 UP BND1 open 1
 FR BND1 flow
ENDATA
