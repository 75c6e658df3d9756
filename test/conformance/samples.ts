/** The smallest picture and sound that are still valid files, in base64. */

/** One red pixel. */
export const RED_PIXEL = {
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
} as const;

/** Half a millisecond of silence. */
export const SILENCE = {
  mimeType: 'audio/wav',
  data: 'UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA',
} as const;
