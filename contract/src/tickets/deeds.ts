// What is done to a ticket, and what of it is open to who only follows it (docs/decisions/0316). The page offers by these names; a test of the
// server asks for each of them.

/** So many colleagues may follow a ticket. */
export const FOLLOWERS_MOST = 10

/** Also for who only follows. */
export const FOLLOWER_DEEDS = [
  'takeOver',
  'unread',
  'pin',
  'unpin',
  'find',
  'goToDay',
  'contact',
  'files',
  'summary',
  'participants',
  'integration',
] as const

/** Only for who may serve the ticket (`canServeTicket`). */
export const SERVING_DEEDS = [
  'accept',
  'acceptBeforeBot',
  'resolve',
  'resolveWithProtocol',
  'reopen',
  'resume',
  'take',
  'transfer',
  'askIn',
  'pause',
  'return',
  'schedule',
  'choices',
  'why',
  'log',
  'close',
  'dismiss',
  'delete',
] as const

export type TicketDeed = (typeof FOLLOWER_DEEDS | typeof SERVING_DEEDS)[number]
