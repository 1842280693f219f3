// The ring of what has the focus on every screen of the gallery as a phone shows it: a keyboard may be connected to one, or the page enlarged.
import { testFocusRings } from '../src/gallery/focus-rings.ts'
import { SCREENS } from '../src/gallery/screens.ts'

testFocusRings(SCREENS, 'phone')
