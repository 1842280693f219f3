// States with few parts of their own: the screens whose states they are, axe-administration and axe-attendance read.
import { testAccessibility } from '../src/gallery/accessible.ts'
import { SCREENS } from '../src/gallery/screens.ts'

testAccessibility(SCREENS.filter(({ state }) => state))
