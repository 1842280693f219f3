import { readScreens } from '../src/gallery/accessible.ts'

readScreens('phone')
