// The ring of what has the focus on every screen of the gallery.
import { testFocusRings } from '../src/gallery/focus-rings.ts'
import { SCREENS } from '../src/gallery/screens.ts'

testFocusRings(SCREENS)
