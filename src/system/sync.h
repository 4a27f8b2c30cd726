/* sync.h: what of a change survives when the power goes. */
#ifndef EM_SYSTEM_SYNC_H
#define EM_SYSTEM_SYNC_H

typedef enum em_sync {
    EM_SYNC_FULL, /* done means: survives power loss */
    EM_SYNC_DATA, /* without the folder's fsync */
    EM_SYNC_OFF,  /* no fsync */
} em_sync;

#endif
