/** The reach that nearly every Nextcloud tool has: the caller's own account on the backend. */
export const ownAccount = { reach: 'own-account' } as const;
