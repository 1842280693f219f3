// A power cut right before a message is committed; every other step and moment is in inbox-crash.long.test.ts.
import { testInboxCrashes } from './inbox-crashes.ts'

testInboxCrashes({ places: ['inbox:before-commit'], moments: false })
