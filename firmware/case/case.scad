// The case of the reference build: a box that stands on the table, and a lid with everything players touch.
// Sizes in millimetres. part = "box", "lid", or "both" to look at.
part = "both";
carrier = false;          // true: the keys are on the board of firmware/board, below which the Pi hangs

// -- the parts; measure yours before printing
window = [57, 30];        // what is seen of a 2.42" display
module_holes = [68, 38];  // its screw holes, centre to centre
key_hole = 13;            // round cap of a 12 mm tact switch
key_pitch = [20, 22];
encoder_hole = 7.2;
seat_hole = 24.2;         // lit arcade button
seat_pitch = 36;
seats = 4;
buzzer_slots = 5;
buzzer_hole = 13;         // a buzzer on the board is as high as the lid
spacers = 8;              // between lid and board
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
keys_at = [38, 19];
encoder_at = [-26, -13];
back_at = [-6, -13];
seats_y = -44;
buzzer_at = [10, 42];
spacers_at = [[-28, 52.5], [-37, -2], [38, 30], [38, 8], [53.5, -14]];
posts = [for (x = [-1, 1], y = [-1, 1]) [x * (size[0] / 2 - post), y * (size[1] / 2 - post)]];

module outline(inset = 0) {
    offset(corner - inset) square([size[0] - 2 * corner, size[1] - 2 * corner], center = true);
}

module at(points) {
    for (p = points) translate(p) children();
}

function corners(d) = [for (x = [-1, 1], y = [-1, 1]) [x * d[0] / 2, y * d[1] / 2]];

// The die keys stand as the options stand on the glass: two wide, three high.
die_keys = [for (row = [1, 0, -1], column = [-1, 1]) keys_at + [column * key_pitch[0] / 2, row * key_pitch[1]]];
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
        if (carrier) {
            translate(buzzer_at) circle(d = buzzer_hole);
            at(spacers_at) circle(d = screw);
        } else for (i = [0 : buzzer_slots - 1])
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
            if (!carrier) translate([0, size[1] / 2 - wall - pi_holes[1] / 2 - 5, 0]) at(corners(pi_holes))
                cylinder(d = 6, h = floor_thick + 4);
        }
        translate([0, 0, floor_thick + height - 12]) linear_extrude(13) at(posts) circle(d = thread);
        if (!carrier) translate([0, size[1] / 2 - wall - pi_holes[1] / 2 - 5, floor_thick]) linear_extrude(5)
            at(corners(pi_holes)) circle(d = 2.2);
        // Supply, sockets and card; those of a Pi that hangs below the board are as far below the lid as it is.
        if (carrier) translate([-41, size[1] / 2 - wall - 1, floor_thick + height - spacers - 14]) cube([66, wall + 2, 12]);
        else translate([-32, size[1] / 2 - wall - 1, floor_thick + 3]) cube([64, wall + 2, 18]);
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
