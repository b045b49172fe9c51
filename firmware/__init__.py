"""What runs on the sensor microcontroller; the frame codec is shared with the host."""
