*SENSE:Maximize
NAME          plant
ROWS
 N  OBJ
 L  demand
 G  least
 E  balance
 L  band_up
 G  band_low
COLUMNS
    buy       demand     1.000000000000e+00
    buy       balance   -1.000000000000e+00
    buy       band_up    1.000000000000e+00
    buy       band_low   1.000000000000e+00
    buy       OBJ        2.000000000000e+00
    flow      balance    1.000000000000e+00
    flow      OBJ       -1.000000000000e-01
    MARK      'MARKER'                 'INTORG'
    make      demand     1.000000000000e+00
    make      least      1.000000000000e+00
    make      balance   -1.000000000000e+00
    make      OBJ        3.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    open      least      1.000000000000e+00
    open      band_up   -1.000000000000e+00
    open      band_low  -1.000000000000e+00
    open      OBJ       -4.000000000000e+00
    MARK      'MARKER'                 'INTEND'
RHS
    RHS       demand     4.000000000000e+00
    RHS       least      1.000000000000e+00
    RHS       balance    5.000000000000e-01
    RHS       band_up    1.000000000000e+00
    RHS       band_low  -2.000000000000e+00
BOUNDS
 LO BND       buy       -1.000000000000e+00
 UP BND       buy        1.500000000000e+00
 FR BND       flow    
 UP BND       make       4.000000000000e+00
 BV BND       open    
ENDATA
