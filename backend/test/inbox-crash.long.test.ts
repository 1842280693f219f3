// Power cuts at every other step of In and at any moment; the one right before the commit is in inbox-crash.test.ts.
import { testInboxCrashes } from './inbox-crashes.ts'

testInboxCrashes({ places: ['inbox:before', 'inbox:recorded', 'inbox:after-commit'], moments: true })
