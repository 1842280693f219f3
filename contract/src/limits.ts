// Numbers both sides keep to (spec 1 §9 and the forms of spec 2 and 3).
export const MB = 1024 * 1024
export const LIMITS = {
  ticketsPage: 40,
  messagesPage: 40,
  messagesMost: 200,
  rowsPage: 20,
  searchResults: 50,
  searchMinimum: 3,
  textLength: 65_536,
  /** The longest text of a message, and of the words under a file, per kind of connection; in UTF-16 units. */
  text: { baileys: 65_536, wwebjs: 65_536, meow: 65_536, cloud_api: 4096 },
  caption: { baileys: 65_536, wwebjs: 65_536, meow: 65_536, cloud_api: 1024 },
  /** The longest value of a field of a template. */
  templateField: 1024,
  nameLength: 255,
  /** All files of one sending together, per kind of connection (spec 1 §5). */
  attachments: { baileys: 20 * MB, wwebjs: 20 * MB, meow: 100 * MB, cloud_api: 20 * MB },
  /** Files of one sending in an internal chat. */
  chatAttachments: 20 * MB,
  /** One request's body; larger ones are refused before they are read. */
  body: 110 * MB,
  /** Requests of the external API within a minute. */
  apiPerMinute: 60,
  audioMinimum: 10_000,
  heartbeatMs: 120_000,
  searchDebounceMs: 500,
  toastMs: 3000,
  quickAnswer: { shortcut: [2, 25], message: [8, 30_000] },
  connectionName: [2, 255],
  contactName: [2, 50],
  contactNumber: [8, 50],
  tagName: [2, 50],
  tagColor: [3, 9],
  scheduleFile: 20 * MB,
} as const
