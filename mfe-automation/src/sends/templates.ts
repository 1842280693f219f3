// A template of the official API, filled in for a send. Pure.
import type { ChosenTemplate } from '@balcao/contract'

export interface Template {
  readonly chosen: ChosenTemplate
  /** Something is not filled in. */
  readonly missing: boolean
}
