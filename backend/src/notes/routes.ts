import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { readNotes } from './notes.ts'

export function noteRoutes({ config }: Parts): Route[] {
  return [serve('GET /notes', () => readNotes(config.notesFile))]
}
