import { testAccessibility } from '../src/gallery/accessible.ts'
import { ADMINISTRATION } from '../src/gallery/screens.ts'

testAccessibility(ADMINISTRATION.filter(({ state }) => !state))
