// The ring of what has the focus: a screen of each kind here, all of them in the long tests.
import { testFocusRings } from '../src/gallery/focus-rings.ts'
import { SCREENS } from '../src/gallery/screens.ts'

const OF_EACH_KIND = [
  'conversation',
  'contact-drawer',
  'tags',
  'quick-answer-add',
  'dialog-transfer',
  'conversation-menu',
]

testFocusRings(
  OF_EACH_KIND.map(kind => {
    const screen = SCREENS.find(({ name }) => name === kind)
    if (!screen) throw new Error(`The gallery has no screen ${kind}`)
    return screen
  }),
)
