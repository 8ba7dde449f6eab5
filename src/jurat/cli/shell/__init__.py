"""What commands share: files from and to the disk, options, and printing."""
