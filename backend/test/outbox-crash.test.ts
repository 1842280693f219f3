// A power cut right after a message went out; the other steps are in outbox-crash.long.test.ts.
import { testOutboxCrashes } from './outbox-crashes.ts'

testOutboxCrashes(['outbox:after-send'])
