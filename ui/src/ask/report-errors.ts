import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'

/** Does something; what fails is told as a notice, and nothing is thrown. */
export async function reportErrors(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast.error(describeError(error))
  }
}
