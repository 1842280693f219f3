/** Whoever owns a new company is called this until it says its name. */
export const OWNER_NAME = 'Administrador'
