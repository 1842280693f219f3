// All tables in one object, for Drizzle and for the generator of migrations.
import * as api from '../api/table.ts'
import * as chats from '../chats/table.ts'
import * as connections from '../connections/table.ts'
import * as contacts from '../contacts/table.ts'
import * as inbox from '../inbox/table.ts'
import * as live from '../live/table.ts'
import * as log from '../log/table.ts'
import * as media from '../media/table.ts'
import * as messages from '../messages/table.ts'
import * as outbox from '../outbox/table.ts'
import * as protocols from '../protocols/table.ts'
import * as push from '../push/table.ts'
import * as queues from '../queues/table.ts'
import * as quickAnswers from '../quick-answers/table.ts'
import * as schedules from '../schedules/table.ts'
import * as sessions from '../sessions/table.ts'
import * as settings from '../settings/table.ts'
import * as tags from '../tags/table.ts'
import * as tickets from '../tickets/table.ts'
import * as users from '../users/table.ts'

export const schema = {
  ...api,
  ...chats,
  ...connections,
  ...contacts,
  ...inbox,
  ...live,
  ...log,
  ...media,
  ...messages,
  ...outbox,
  ...protocols,
  ...push,
  ...queues,
  ...quickAnswers,
  ...schedules,
  ...sessions,
  ...settings,
  ...tags,
  ...tickets,
  ...users,
}
