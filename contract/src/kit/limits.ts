// Numbers both sides keep to (spec 1 §9 and the forms of spec 2 and 3).
export const MB = 1024 * 1024
/** The most bytes of a sheet (decisions-2 §14). */
export const SHEET_BYTES = 20 * MB
/** How sheets that people upload may be named; what they are is seen from what is in them. */
export const SHEET_ENDINGS = ['xlsx', 'xls', 'csv', 'ods', 'tsv', 'txt', 'vcf'] as const
/** Characters that a cell of a sheet holds. */
export const SHEET_CELL = 32_767
export const LIMITS = {
  ticketsPage: 40,
  messagesPage: 40,
  messagesMost: 200,
  /** Messages that are forwarded at once. */
  forwardedMost: 30,
  /** What the dashboard shows of one person's tickets at first, and at the most. */
  personTickets: 50,
  personTicketsMost: 200,
  rowsPage: 20,
  logPage: 40,
  searchResults: 50,
  searchMinimum: 3,
  /** Where the count of what is found stops: so many are found, or more. */
  counted: 1000,
  textLength: 65_536,
  /** Members of a group that one message names. */
  mentions: 100,
  /** The longest value of a field of a template. */
  templateField: 1024,
  nameLength: 255,
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
  connectionName: [2, 255],
  contactName: [2, 50],
  contactNumber: [8, 50],
  tagName: [2, 50],
  webhookName: [2, 50],
  webhookAddress: 2000,
  apiTokenName: [2, 50],
  apiTokenPerMinute: [1, 600],
  tagColor: [3, 9],
  protocolMessage: [2, 50],
  queueName: [2, 250],
  queueOrder: [0, 99_999],
  /** Minutes of working time in which a queue answers: at most some weeks of it. */
  answerMinutes: [1, 20_000],
  question: [1, 250],
  /** As much as a text may hold on every kind of connection. */
  questionAnswer: [1, 4096],
  scheduleFile: 20 * MB,
} as const
