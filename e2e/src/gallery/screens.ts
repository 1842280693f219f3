// Every screen, dialog and state, and how to get there. A new one is one entry in the file of its area; the gallery and the
// accessibility test both read this.
import { BOT } from './screens/bot.ts'
import { CHATS } from './screens/chats.ts'
import { COMPOSER } from './screens/composer.ts'
import { CONNECTIONS } from './screens/connections.ts'
import { CONTACT_SHEETS } from './screens/contact-sheets.ts'
import { CONTACTS } from './screens/contacts.ts'
import { CONVERSATION } from './screens/conversation.ts'
import { DASHBOARD } from './screens/dashboard.ts'
import { DESK } from './screens/desk.ts'
import { DIALOGS, OVER } from './screens/dialogs.ts'
import { DOCTOR } from './screens/doctor.ts'
import { FRAME } from './screens/frame.ts'
import { FURTHER } from './screens/further.ts'
import { KIT } from './screens/kit.ts'
import { LOG } from './screens/log.ts'
import { NPS } from './screens/nps.ts'
import { PHONES } from './screens/phones.ts'
import { PRIVACY } from './screens/privacy.ts'
import { PROTOCOLS } from './screens/protocols.ts'
import { QUEUES } from './screens/queues.ts'
import { QUICK_ANSWERS } from './screens/quick-answers.ts'
import { REPORTS } from './screens/reports.ts'
import { SCHEDULED } from './screens/schedules.ts'
import { SENDINGS } from './screens/sends.ts'
import { SETTINGS } from './screens/settings.ts'
import { SIGN_IN } from './screens/sign-in.ts'
import { TAGS } from './screens/tags.ts'
import { USERS } from './screens/users.ts'
import type { Screen } from './stage.ts'

/** What agents see. */
export const ATTENDANCE: readonly Screen[] = [
  ...SIGN_IN,
  ...FRAME,
  ...DESK,
  ...CONVERSATION,
  ...COMPOSER,
  ...DIALOGS,
  ...OVER,
  ...FURTHER,
  ...CHATS,
]

/** What managers and administrators see besides, and the simulator. */
export const ADMINISTRATION: readonly Screen[] = [
  ...CONNECTIONS,
  ...USERS,
  ...LOG,
  ...PRIVACY,
  ...DOCTOR,
  ...QUEUES,
  ...CONTACTS,
  ...CONTACT_SHEETS,
  ...QUICK_ANSWERS,
  ...PROTOCOLS,
  ...TAGS,
  ...SCHEDULED,
  ...SENDINGS,
  ...BOT,
  ...SETTINGS,
  ...DASHBOARD,
  ...NPS,
  ...REPORTS,
  ...PHONES,
  ...KIT,
]

export const SCREENS: readonly Screen[] = [...ATTENDANCE, ...ADMINISTRATION]
