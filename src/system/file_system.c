#include "system/file_system.h"

#include <stddef.h>

static const em_file_system file_systems[] = {
    {0xEF53, "ext4", true, false},      {0x58465342, "xfs", true, false},
    {0x9123683E, "btrfs", true, false}, {0x01021994, "tmpfs", true, false},
    {0xF2F52010, "f2fs", true, false},  {0xCA451A4E, "bcachefs", true, false},
    {0x2FC12FC1, "zfs", false, false},  {0x794C7630, "overlay", false, false},
    {0x4D44, "vfat", false, false},     {0x2011BAB0, "exfat", false, false},
    {0x7366746E, "ntfs", false, false}, {0x858458F6, "ramfs", false, false},
    {0x6969, "nfs", false, true},       {0xFF534D42, "cifs", false, true},
    {0xFE534D42, "smb2", false, true},  {0x01021997, "9p", false, true},
    {0x65735546, "fuse", false, true},
};

const em_file_system *em_file_system_of(uint64_t magic)
{
    for (size_t i = 0; i < sizeof file_systems / sizeof *file_systems; i++) {
        if (file_systems[i].magic == magic)
            return &file_systems[i];
    }
    return NULL;
}
