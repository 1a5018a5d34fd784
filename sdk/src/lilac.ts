export { ApiError, createClient, type Client, type ClientOptions } from '@lilac/contract/client';
