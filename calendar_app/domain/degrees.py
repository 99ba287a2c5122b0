"""How far latitudes and longitudes go, to either side of the equator and of Greenwich."""

POLE = 90
ANTIMERIDIAN = 180
