export {
  type OpenApiDocument,
  type OpenApiOptions,
  openApiDocument,
} from "./openapi/openapi-document.ts";
