// Where files are kept, and their way into a bucket or back.
import '@balcao/backend/files'
