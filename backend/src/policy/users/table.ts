import type { Presence, Profile } from '@balcao/contract'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { connections } from '../../desk/connections/table.ts'
import { id, instant, version } from '../../platform/database/columns.ts'

/** Members of the team. The e-mail is encrypted; `emailHash` is its HMAC for look-up and uniqueness. User 1 is the owner. */
export const users = pgTable('user', {
  id: id(),
  name: text().notNull(),
  emailSealed: text().notNull(),
  emailHash: text().notNull().unique(),
  passwordHash: text().notNull(),
  mustChangePassword: boolean().notNull().default(false),
  profile: text().$type<Profile>().notNull().default('user'),
  active: boolean().notNull().default(true),
  /** Signed up by themselves and not let in yet. */
  awaitingApproval: boolean().notNull().default(false),
  status: text().$type<Presence>().notNull().default('offline'),
  startTime: text().notNull().default('00:00'),
  endTime: text().notNull().default('23:59'),
  weekdays: boolean().notNull().default(true),
  saturday: boolean().notNull().default(true),
  sunday: boolean().notNull().default(true),
  holidays: boolean().notNull().default(true),
  addContact: boolean().notNull().default(true),
  editContact: boolean().notNull().default(true),
  delContact: boolean().notNull().default(false),
  whatsappId: integer().references(() => connections.id, { onDelete: 'set null' }),
  profilePicUrl: text(),
  lastSeenAt: instant(),
  deletedAt: instant(),
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant().notNull().defaultNow(),
  version: version(),
  /** The version of the last save: people who come and go change `version` all day, and are no change of the form. */
  savedVersion: integer().notNull().default(1),
})
