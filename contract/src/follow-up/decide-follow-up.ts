// What a message sets in motion by itself (decisions-2 §8): the rules are asked in their order. No I/O: whoever asks reads only the facts
// that a rule wants, and carries out what follows. The inbox does so for every message it stores; a page plays it.
import type { FollowUp, FollowUpCase, FollowUpFacts } from './follow-up.ts'
import { FOLLOW_UP_RULES } from './rules.ts'

/** What follows, or which fact must be known first: ask again with it. */
export function decideFollowUp(
  known: FollowUpCase,
  facts: Partial<FollowUpFacts>,
): { readonly steps: readonly FollowUp[] } | { readonly wants: keyof FollowUpFacts } {
  const steps: FollowUp[] = []
  for (const rule of FOLLOW_UP_RULES) {
    if (!rule.fits(known)) continue
    const missing = rule.wants.find(name => facts[name] === undefined)
    if (missing) return { wants: missing }
    const more = rule.steps(known, facts)
    steps.push(...more)
    if (more.length > 0 && !rule.goesOn) break
  }
  return { steps }
}
