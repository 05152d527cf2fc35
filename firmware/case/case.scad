// The case of the reference build: a box that stands on the table, and a lid with everything players touch.
// Sizes in millimetres. part = "box", "lid", or "both" to look at.
part = "both";

// -- the parts; measure yours before printing
window = [57, 30];        // what is seen of a 2.42" display
module_holes = [68, 38];  // its screw holes, centre to centre
key_hole = 13;            // round cap of a 12 mm tact switch
key_pitch = 20;
encoder_hole = 7.2;
seat_hole = 24.2;         // lit arcade button
seat_pitch = 36;
seats = 4;
buzzer_slots = 5;
pi_holes = [58, 23];      // Zero; [58, 49] for the large boards
screw = 3.2;              // M3, through
thread = 2.6;             // M3, cut into plastic

// -- the case
size = [168, 128];
height = 46;              // inside; a lit arcade button is 35 deep
wall = 2.4;
floor_thick = 2;
lid_thick = 3;
corner = 6;
post = 7;

$fn = 48;

// Where things are on the lid, from its middle; y grows away from the players.
display_at = [-36, 26];
keys_at = [40, 24];
encoder_at = [-58, -16];
back_at = [-14, -16];
seats_y = -44;
buzzer_at = [74, -16];
posts = [for (x = [-1, 1], y = [-1, 1]) [x * (size[0] / 2 - post), y * (size[1] / 2 - post)]];

module outline(inset = 0) {
    offset(corner - inset) square([size[0] - 2 * corner, size[1] - 2 * corner], center = true);
}

module at(points) {
    for (p = points) translate(p) children();
}

function corners(d) = [for (x = [-1, 1], y = [-1, 1]) [x * d[0] / 2, y * d[1] / 2]];

// The die keys stand as the options stand on the glass: two wide, three high.
die_keys = [for (row = [1, 0, -1], column = [-1, 1]) keys_at + [column * key_pitch / 2, row * key_pitch]];
seat_keys = [for (i = [0 : seats - 1]) [(i - (seats - 1) / 2) * seat_pitch, seats_y]];

module lid() {
    linear_extrude(lid_thick) difference() {
        outline();
        at(posts) circle(d = screw);
        translate(display_at) {
            square(window, center = true);
            at(corners(module_holes)) circle(d = screw);
        }
        at(die_keys) circle(d = key_hole);
        translate(back_at) circle(d = key_hole);
        translate(encoder_at) circle(d = encoder_hole);
        at(seat_keys) circle(d = seat_hole);
        for (i = [0 : buzzer_slots - 1])
            translate(buzzer_at + [0, (i - (buzzer_slots - 1) / 2) * 4]) square([12, 1.6], center = true);
    }
}

module box() {
    difference() {
        union() {
            linear_extrude(floor_thick + height) difference() {
                outline();
                outline(wall);
            }
            linear_extrude(floor_thick) outline();
            linear_extrude(floor_thick + height) intersection() {
                outline();
                at(posts) square(2 * post, center = true);
            }
            // The Pi stands on these, its sockets at the back wall.
            translate([0, size[1] / 2 - wall - pi_holes[1] / 2 - 5, 0]) at(corners(pi_holes))
                cylinder(d = 6, h = floor_thick + 4);
        }
        translate([0, 0, floor_thick + height - 12]) linear_extrude(13) at(posts) circle(d = thread);
        translate([0, size[1] / 2 - wall - pi_holes[1] / 2 - 5, floor_thick]) linear_extrude(5)
            at(corners(pi_holes)) circle(d = 2.2);
        // Supply, sockets and card.
        translate([-32, size[1] / 2 - wall - 1, floor_thick + 3]) cube([64, wall + 2, 18]);
        // Air.
        for (x = [-60 : 10 : 60]) translate([x, -10, -1]) cube([3, 20, floor_thick + 2]);
    }
}

if (part == "box") box();
else if (part == "lid") lid();
else {
    box();
    translate([0, 0, floor_thick + height + 20]) lid();
}
