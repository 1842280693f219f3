import type { JobReference } from '@balcao/contract/jobs/job'
import { useBusy } from '@balcao/ui/ask'
import { Button, toast } from '@balcao/ui/parts'
import { Download } from 'lucide-react'
import { useKitTexts } from './texts.ts'

interface ExportButtonProps {
  readonly label: string
  /** Begins the work; the tray goes on with it. */
  readonly begin: () => Promise<JobReference>
}

/** Begins an export. The file is in the tray when it is ready, also after the page was left. */
export function ExportButton({ label, begin }: ExportButtonProps) {
  const kit = useKitTexts()
  const [busy, during] = useBusy()
  const run = async () => {
    await begin()
    toast.info(kit('job.begun'))
  }
  return (
    <Button icon={Download} busy={busy} onClick={() => during(run)}>
      {label}
    </Button>
  )
}
