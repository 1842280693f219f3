/** The four kinds of WhatsApp connection (spec 1 §1); what each is stands in `kinds.ts`. */
export const KINDS = ['baileys', 'wwebjs', 'meow', 'cloud_api'] as const
export type Kind = (typeof KINDS)[number]
