import { shellConfig } from '@balcao/ui/build/config'

export default shellConfig(import.meta.dirname)
