NAME          BLANK   
ROWS
 N  OBJROW
 L  demand
 G  least
 E  balance
 L  band_up
 G  band_low
COLUMNS
    buy       OBJROW    2.             demand    1.          
    buy       balance    -1.           band_up   1.          
    buy       band_low  1.          
    flow      OBJROW    -0.1           balance   1.          
    make      OBJROW    3.             demand    1.          
    make      least     1.             balance    -1.        
    open      OBJROW     -4.           least     1.          
    open      band_up    -1.           band_low   -1.        
RHS
    RHS       demand    4.             least     1.          
    RHS       balance   0.5            band_up   1.          
    RHS       band_low   -2.        
BOUNDS
 LO BOUND     buy        -1.        
 UP BOUND     buy       1.5         
 FR BOUND     flow             1e+30
 UI BOUND     make      4.          
 BV BOUND     open      1.          
ENDATA
