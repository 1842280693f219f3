// Every screen, dialog and state, and how to get there. A new one is one entry in the file of its area; the gallery and the
// accessibility test both read this.
import { CHATS } from './screens/chats.ts'
import { COMPOSER } from './screens/composer.ts'
import { CONNECTIONS } from './screens/connections.ts'
import { CONVERSATION } from './screens/conversation.ts'
import { DASHBOARD } from './screens/dashboard.ts'
import { DESK } from './screens/desk.ts'
import { DIALOGS, OVER } from './screens/dialogs.ts'
import { FRAME } from './screens/frame.ts'
import { FURTHER } from './screens/further.ts'
import { KIT } from './screens/kit.ts'
import { PHONES } from './screens/phones.ts'
import { QUICK_ANSWERS } from './screens/quick-answers.ts'
import { SIGN_IN } from './screens/sign-in.ts'
import type { Screen } from './stage.ts'

export const SCREENS: readonly Screen[] = [
  ...SIGN_IN,
  ...FRAME,
  ...DESK,
  ...CONVERSATION,
  ...COMPOSER,
  ...DIALOGS,
  ...OVER,
  ...FURTHER,
  ...CHATS,
  ...CONNECTIONS,
  ...QUICK_ANSWERS,
  ...DASHBOARD,
  ...PHONES,
  ...KIT,
]
