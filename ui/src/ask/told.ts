import { errorText } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'

/** Does something; what fails is told as a notice, and nothing is thrown. */
export async function told(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast.error(errorText(error))
  }
}
