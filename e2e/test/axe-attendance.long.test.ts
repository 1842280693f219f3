import { testAccessibility } from '../src/gallery/accessible.ts'
import { ATTENDANCE } from '../src/gallery/screens.ts'

testAccessibility(ATTENDANCE.filter(({ state }) => !state))
