// Power cuts at the other steps of Out; the one right after a message went out is in outbox-crash.test.ts.
import { testOutboxCrashes } from './outbox-crashes.ts'

testOutboxCrashes(['outbox:after-claim', 'outbox:after-settle'])
