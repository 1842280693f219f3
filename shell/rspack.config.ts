import { createShellConfig } from '@balcao/ui/build/config'

export default createShellConfig(import.meta.dirname)
