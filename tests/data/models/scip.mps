* SCIP STATISTICS
*   Problem name     : plant
*   Variables        : 4 (1 binary, 1 integer, 0 implicit integer, 2 continuous)
*   Constraints      : 4
NAME          plant
OBJSENSE
  MAX
ROWS
 N  Obj 
 L  demand 
 G  least 
 E  balance 
 L  band 
COLUMNS
    INTSTART  'MARKER'                            'INTORG'                           
    make      Obj                              3  demand                           1 
    make      least                            1  balance                         -1 
    open      Obj                             -4  least                            1 
    open      band                            -1 
    INTEND    'MARKER'                            'INTEND'                           
    buy       demand                           1  balance                         -1 
    buy       band                             1  Obj                              2 
    flow      Obj                           -0.1  balance                          1 
RHS
    RHS       demand                           4  least                            1 
    RHS       balance                        0.5  band                             1 
    RHS       Obj                            -10 
RANGES
    RANGE     band                             3 
BOUNDS
 BV Bound     open                               
 UP Bound     make                             4 
 LO Bound     buy                             -1 
 UP Bound     buy                            1.5 
 FR Bound     flow                               
ENDATA