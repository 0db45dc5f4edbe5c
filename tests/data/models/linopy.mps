NAME        
OBJSENSE
  MAX
ROWS
 N  Obj     
 L  c0      
 G  c1      
 E  c2      
 L  c3      
 G  c4      
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    x0        Obj       3
    x0        c0        1
    x0        c1        1
    x0        c2        -1
    MARK0001  'MARKER'                 'INTEND'
    x1        Obj       2
    x1        c0        1
    x1        c2        -1
    x1        c3        1
    x1        c4        1
    MARK0002  'MARKER'                 'INTORG'
    x2        Obj       -4
    x2        c1        1
    x2        c3        -1
    x2        c4        -1
    MARK0003  'MARKER'                 'INTEND'
    x3        Obj       -0.1
    x3        c2        1
RHS
    RHS_V     c0        4
    RHS_V     c1        1
    RHS_V     c2        0.5
    RHS_V     c3        1
    RHS_V     c4        -2
BOUNDS
 UI BOUND     x0        4
 LO BOUND     x1        -1
 UP BOUND     x1        1.5
 BV BOUND     x2      
 FR BOUND     x3      
ENDATA
