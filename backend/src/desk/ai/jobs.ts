import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { createTranscriptionTask, TRANSCRIBE } from './transcription.ts'

export function aiJobs(parts: Parts): JobKind[] {
  return [{ kind: TRANSCRIBE, crew: 'flow', work: createTranscriptionTask(parts) }]
}
